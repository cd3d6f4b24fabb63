/** The nonce that the server put into the page; styles made at run time must carry it. */
export const cspNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

// The scroll lock of dialogs asks for it under this name.
if (cspNonce) Object.assign(globalThis, { __webpack_nonce__: cspNonce })
