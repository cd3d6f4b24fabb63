// Runs before the first paint. It is a separate file because the Content-Security-Policy allows no inline scripts.
;(() => {
  const page = document.documentElement
  const stored = localStorage.getItem('mantine-color-scheme-value')
  const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  page.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  const signedIn = localStorage.getItem('auth_token') !== null
  const apart =
    /^\/(login|signup|forgot-password|reset-password|invitation|verify-email|authorize|second-factor)\b/
  page.toggleAttribute('data-signed-in', signedIn)
  page.toggleAttribute('data-shell', signedIn && !apart.test(location.pathname))
  const width = localStorage.getItem('width of space menu')
  if (width) page.style.setProperty('--place-width', `${width}px`)
  page.toggleAttribute('data-motion', !matchMedia('(prefers-reduced-motion: reduce)').matches)
})()
