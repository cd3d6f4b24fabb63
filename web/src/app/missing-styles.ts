const missing = new Set<string>()

/** Notes which style sheets a screen needed and did not get: Vite asks for each only once. Called once. */
export function watchMissingStyles(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    const href = /^Unable to preload CSS for (.+)$/.exec(payload.message)?.[1]
    if (href) missing.add(href)
  })
}

/** Asks for them again; throws while one still cannot be had. */
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
