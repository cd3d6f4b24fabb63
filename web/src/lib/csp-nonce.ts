/** The page's CSP nonce; styles created at run time must carry it. */
export const cspNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

// The scroll lock of dialogs reads the nonce under this name.
if (cspNonce) Object.assign(globalThis, { __webpack_nonce__: cspNonce })
