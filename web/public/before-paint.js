// Runs before the first paint. It is a separate file because the Content-Security-Policy allows no inline scripts.
;(() => {
  const page = document.documentElement
  const stored = localStorage.getItem('mantine-color-scheme-value')
  const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  page.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  page.toggleAttribute('data-signed-in', localStorage.getItem('auth_token') !== null)
  page.toggleAttribute('data-motion', !matchMedia('(prefers-reduced-motion: reduce)').matches)
})()
