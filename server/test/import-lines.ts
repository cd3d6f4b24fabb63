import type { RestClient } from '@loci/client/rest'

/** Imports JSON lines over REST and waits until everything is stored. */
export async function importLines(
  { url }: { url: string },
  { apiKey, rest }: { apiKey: string; rest: RestClient },
  lines: string,
): Promise<void> {
  const response = await fetch(`${url}/api/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/x-ndjson' },
    body: lines,
  })
  if (!response.ok) throw new Error(`Import refused: ${response.status} ${await response.text()}`)
  let { import: report } = (await response.json()) as Awaited<ReturnType<RestClient['getImport']>>
  while (report.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 100))
    report = (await rest.getImport({ params: { id: report.id } })).import
  }
  if (report.state !== 'finished' || report.problems.total > 0) throw new Error(JSON.stringify(report))
}
