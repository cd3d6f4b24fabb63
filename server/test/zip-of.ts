import { writeZip } from '../src/ground/lib/zip.ts'

/** A ZIP archive of these files, keyed by path. */
export async function zipOf(files: Record<string, string>): Promise<Buffer> {
  async function* entries() {
    for (const [path, text] of Object.entries(files)) yield { path, content: piecesOf(text) }
  }
  const pieces: Buffer[] = []
  for await (const piece of writeZip(entries(), new Date('2025-01-02T03:04:06Z'))) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function* piecesOf(text: string) {
  yield text.slice(0, 10)
  yield text.slice(10)
}
