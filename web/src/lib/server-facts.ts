const contentOf = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

/** False if the server sets no limits and does not charge. */
export const isCharging = contentOf('loci-billing') !== 'off'

/** True if owners can move the billing clock for testing. */
export const hasTestClock = contentOf('loci-test-clock') === 'on'

/** Whether the server sends links by mail. */
export const sendsMail = contentOf('loci-mail') === 'on'

/** The path of the server's program, if it runs on the user's own machine; otherwise empty. */
export const programPath = contentOf('loci-program')

/** Who can sign up: `open`, `invited` or `closed`. */
export const signUp = contentOf('loci-sign-up')
