/* bcryptprimitives.dll, which Debian's Wine 8.0 lacks. Built with ADVAPI it is what that is linked to. */
#ifdef ADVAPI
__declspec(dllexport) unsigned char SystemFunction036(void *bytes, unsigned long size) { return 0; }
#else
__declspec(dllimport) unsigned char SystemFunction036(void *bytes, unsigned long size); /* RtlGenRandom */

__declspec(dllexport) int ProcessPrng(unsigned char *bytes, unsigned long long size) {
  return SystemFunction036(bytes, (unsigned long)size);
}
#endif
