/** The modifier key of shortcuts, as this machine's keyboard labels it. */
export const modifierKey = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
