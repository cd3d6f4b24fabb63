/** Saves a file through the browser's downloads. */
export function download(content: Blob, filename: string): void {
  const url = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: url, download: filename })
  link.click()
  // Some browsers read the URL after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
