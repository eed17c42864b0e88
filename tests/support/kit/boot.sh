# Boots the systemd of this machine in namespaces of its own, over a copy of the file system that is
# thrown away. Arguments: folder for the copy, checkout, wheel, uv, prefix of Python, its packages.
set -e
unset TMPDIR  # a folder of this machine, not of the one that is booted
folder=$1 checkout=$2 wheel=$3 uv=$4 prefix=$5 packages=$6
mount --make-rprivate /
root=$folder/root
mkdir -p "$folder/upper" "$folder/work" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" "$root"
cd "$root"
mkdir -p proc sys dev run tmp old opt/checkout opt/wheel opt/uv opt/python opt/dependencies
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for one in null zero full random urandom tty; do
    touch dev/$one
    mount --bind /dev/$one dev/$one
done
mkdir dev/pts dev/shm dev/mqueue
ln -s pts/ptmx dev/ptmx
mount -t devpts -o newinstance devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t tmpfs -o mode=755 tmpfs run
mount --bind "$checkout" opt/checkout
mount --bind "$(dirname "$wheel")" opt/wheel
mount --bind "$(dirname "$uv")" opt/uv
mount --bind "$prefix" opt/python
mount --bind "$packages" opt/dependencies
# the targets of a machine, without its services
mkdir run/stubs
for one in sysinit basic multi-user network-online timers shutdown umount; do
    printf '[Unit]\nDescription=%s\nDefaultDependencies=no\n' $one >run/stubs/$one.target
done
mkdir run/stubs/guinote-.service.d
cat >run/stubs/guinote-.service.d/90-test.conf <<'END'
[Service]
StandardOutput=append:/var/log/guinote
StandardError=inherit
# a backup that gives way to all else would take long beside other tests
Nice=0
IOSchedulingClass=best-effort
END
pivot_root . old
umount -l /old
# a Python in a folder of root's, whose library the service could not read there
echo /opt/python/lib >/etc/ld.so.conf.d/000-python.conf
ldconfig
mount --make-rshared /
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    SYSTEMD_UNIT_PATH=/run/stubs:/etc/systemd/system "$7" --system --unit=basic.target \
    --show-status=no --log-target=console --log-level=warning
