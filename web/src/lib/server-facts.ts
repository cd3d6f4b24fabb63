const contentOf = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

/** False where the server sets no limits and takes no money. */
export const isCharging = contentOf('loci-billing') !== 'off'

/** Who may sign up: `open`, `invited` or `closed`. */
export const signUp = contentOf('loci-sign-up')
