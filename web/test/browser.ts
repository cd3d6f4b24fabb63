import { onTestFinished, vi } from 'vitest'
import * as serverFacts from '../src/lib/server-facts.ts'

/** Records where the page sends the browser, which jsdom cannot follow. */
export function catchRedirects(href = 'https://loci.example/'): string[] {
  const redirects: string[] = []
  const assign = (url: string) => void redirects.push(url)
  vi.stubGlobal('location', Object.assign(new URL(href), { assign }))
  return redirects
}

/** Records the files that the page saves. */
export function catchDownloads(): { name: string; content: Blob }[] {
  const downloads: { name: string; content: Blob }[] = []
  let content = new Blob()
  const objectUrls = {
    createObjectURL: (blob: Blob) => {
      content = blob
      return 'blob:content'
    },
    revokeObjectURL: () => {},
  }
  Object.assign(URL, objectUrls)
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    downloads.push({ name: this.download, content })
  })
  onTestFinished(() => click.mockRestore())
  return downloads
}

type Facts = typeof serverFacts

/** Replaces what the server says of itself in the page, such as whether it sends mail. */
export function serverSays(facts: Partial<Record<keyof Facts, boolean | string>>): void {
  for (const [name, value] of Object.entries(facts)) {
    const fact = vi.spyOn(serverFacts as Record<string, unknown>, name, 'get').mockReturnValue(value)
    onTestFinished(() => fact.mockRestore())
  }
}
