/**
 * Public half of an RSA key pair, base64 DER. Chrome and Edge derive the extension's id from it
 * (jhjoljfecgnnofpkppemifcbcoihkgho), and with the id the redirect address of the sign-in, so both are the same on every
 * machine. The private half was not kept: it is only needed to pack a signed `.crx` outside of a store. A package for a
 * store uses the key shown in the store's dashboard, or none for the first upload.
 */
export const chromeKey =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwqyIjlXe10vR2jkPEn/yktG/lznurJt1IBrJ33ys40boeQQLVn8SWvPsq7ToQ3ktYxvrMLQym1VuDq45q0l4Hpmk0RxUgDxKseTdlYC1LxtzatyyHJbPnPjU8rnaGfgF1JyjX32szmoSXuoHmVKKIUGDxFP7wMD98cN7HPVjVuX5TQH4kIAYa/RrGoZGtefaHbVteSxSUberS2NTKG3yQb+swoCl6qsftdKHC3V8/PdvBA9PF70nNi+dYLEjPTK9b6nY4uNbDusqpdtVAhRDtfUy6DdV0hzUNolz/mfjFB3kbsPj/jJ47uOSZLtQudLpXaAkp9aZUMj0j/X4B2Bq5QIDAQAB';
