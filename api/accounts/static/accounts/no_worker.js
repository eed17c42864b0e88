// A service worker that does nothing: a browser takes one only where it trusts the certificate.
