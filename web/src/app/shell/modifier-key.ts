/** The key that shortcuts are held with, as this machine's keyboard names it. */
export const modifierKey = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
