const missing = new Set<string>()

/** Records style sheets that failed to load, because Vite requests each only once. Call it once. */
export function watchMissingStyles(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    const href = /^Unable to preload CSS for (.+)$/.exec(payload.message)?.[1]
    if (href) missing.add(href)
  })
}

/** Loads them again; throws if one fails. */
export async function loadMissingStyles(): Promise<void> {
  await Promise.all([...missing].map(loadStyle))
}

function loadStyle(href: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  return new Promise((resolve, reject) => {
    link.onload = () => {
      missing.delete(href)
      resolve()
    }
    link.onerror = () => {
      link.remove()
      reject(new Error(`${href} cannot be loaded`))
    }
    document.head.append(link)
  })
}
