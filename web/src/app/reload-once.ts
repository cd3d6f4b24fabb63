const reloadedKey = 'loci.reloaded'
const againAfterMs = 30_000

/** Loads the document again, for newer files; not twice in a row, since that would never end. */
export function reloadOnce(): boolean {
  const last = Number(sessionStorage.getItem(reloadedKey) ?? 0)
  if (Date.now() - last < againAfterMs) return false
  sessionStorage.setItem(reloadedKey, String(Date.now()))
  window.location.reload()
  return true
}
