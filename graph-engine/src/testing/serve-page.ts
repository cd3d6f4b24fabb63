/** Builds `page.html` with Vite and serves it under the product's Content-Security-Policy. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; worker-src 'self'; img-src 'self'"

export type ServedPage = { url: string; close(): Promise<void> }

export async function servePage(): Promise<ServedPage> {
  const directory = await mkdtemp(join(tmpdir(), 'graph-engine-page-'))
  const root = fileURLToPath(new URL('.', import.meta.url))
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
    build: {
      outDir: directory,
      emptyOutDir: true,
      target: 'es2022',
      rolldownOptions: { input: join(root, 'page.html') },
    },
  })
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname)
    try {
      const body = await readFile(join(directory, path))
      response.writeHead(200, {
        'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
        'content-security-policy': policy,
      })
      response.end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/page.html`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
}
