const reloadedKey = 'loci.reloaded'
const againAfterMs = 30_000

/** Reloads the document to get newer files, but never twice in a row, which could loop. */
export function reloadOnce(): boolean {
  const last = Number(sessionStorage.getItem(reloadedKey) ?? 0)
  if (Date.now() - last < againAfterMs) return false
  sessionStorage.setItem(reloadedKey, String(Date.now()))
  window.location.reload()
  return true
}
