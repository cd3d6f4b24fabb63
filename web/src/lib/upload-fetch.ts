/** A `fetch` that reports upload progress from 0 to 1, which the browser's own cannot. */
export function uploadFetch(onSent: (share: number) => void): typeof fetch {
  return (input, init) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(init?.method ?? 'GET', String(input))
      for (const [name, value] of new Headers(init?.headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total)
      request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
      request.onerror = () => reject(new TypeError('The connection was lost'))
      init?.signal?.addEventListener('abort', () => request.abort())
      request.onabort = () => reject(new DOMException('The upload was ended', 'AbortError'))
      request.send(init?.body as XMLHttpRequestBodyInit)
    })
}
