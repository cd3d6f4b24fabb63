/** Style sheets that failed to load, by what needs them: Vite requests each only once. */
const missing = new Map<() => Promise<unknown>, string>()

/** Loads code, and its style sheet again if that failed the last time. */
export async function loadStyled<Code>(load: () => Promise<Code>): Promise<Code> {
  const style = missing.get(load)
  if (style !== undefined) await loadStyle(style)
  missing.delete(load)
  return load().catch((error: unknown) => {
    const href = /^Unable to preload CSS for (.+)$/.exec((error as Error).message)?.[1]
    if (href) missing.set(load, href)
    throw error
  })
}

function loadStyle(href: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  return new Promise((resolve, reject) => {
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error(`${href} cannot be loaded`))
    }
    document.head.append(link)
  })
}
