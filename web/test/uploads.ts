import { vi } from 'vitest'

/**
 * Lets uploads, which report their progress through `XMLHttpRequest`, reach the server double behind `fetch`.
 * Returns a function that lets an upload that waits at its half arrive.
 */
export function uploadThroughFetch({ isHeld = false } = {}): () => void {
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>()
  if (!isHeld) arrive()
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
      status = 0
      responseText = ''
      onload = () => {}
      onerror = () => {}
      onabort = () => {}
      #headers = new Headers()
      #target = { method: 'GET', url: '' }
      #isAborted = false

      open(method: string, url: string): void {
        this.#target = { method, url }
      }

      setRequestHeader(name: string, value: string): void {
        this.#headers.set(name, value)
      }

      abort(): void {
        this.#isAborted = true
        this.onabort()
      }

      send(file: File): void {
        void this.#run(file)
      }

      async #run(file: File): Promise<void> {
        this.upload.onprogress?.({ loaded: 1, total: 2 })
        await arrival
        if (this.#isAborted) return
        this.upload.onprogress?.({ loaded: 2, total: 2 })
        const { method, url } = this.#target
        try {
          const response = await fetch(url, { method, headers: this.#headers, body: await file.text() })
          this.status = response.status
          this.responseText = await response.text()
          this.onload()
        } catch {
          this.onerror()
        }
      }
    },
  )
  return arrive
}
