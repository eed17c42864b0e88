#!/bin/sh
# Installs units, user, settings and the key of the names. Settings and key that are there stay.
set -eu
umask 077
cd "$(dirname "$0")"
install -D -m 644 guinote.sysusers /etc/sysusers.d/guinote.conf
systemd-sysusers /etc/sysusers.d/guinote.conf
install -d -m 750 -g guinote /etc/guinote
[ -e /etc/guinote/guinote.env ] || cp guinote.env /etc/guinote/
[ -e /etc/guinote/clubs.env ] || cp clubs.env /etc/guinote/
[ -e /etc/guinote/persons.key ] || od -An -tx1 -N32 /dev/urandom | tr -d ' \n' >/etc/guinote/persons.key
chown guinote /etc/guinote/persons.key
install -D -m 755 guinote /usr/local/bin/guinote
(umask 022 && cp -r system/. /etc/systemd/system/)
systemctl daemon-reload
