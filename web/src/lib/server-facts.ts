const contentOf = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

/** False where the server sets no limits and takes no money. */
export const isCharging = contentOf('loci-billing') !== 'off'

/** True where owners may move the clock of billing, to try what comes. */
export const hasTestClock = contentOf('loci-test-clock') === 'on'

/** Whether links come by mail. */
export const sendsMail = contentOf('loci-mail') === 'on'

/** Where the server's program lies, on one's own machine; empty elsewhere. */
export const programPath = contentOf('loci-program')

/** Who may sign up: `open`, `invited` or `closed`. */
export const signUp = contentOf('loci-sign-up')
