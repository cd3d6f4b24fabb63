import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import tls from 'node:tls'
import { documented, take } from './declared.ts'
import { root } from './documented.ts'
import { here, type Place, publicUrl, shell } from './place.ts'
import { end, untilReady } from './unit.ts'

const nginx = documented("map $http_upgrade $connection_upgrade { default upgrade; '' ''; }")
const nginxMany = documented('upstream loci {')
const caddy = documented('loci.example.com {')
const caddyMany = documented('  reverse_proxy 127.0.0.1:7400 127.0.0.1:7401 {')
const haproxy = documented('frontend loci')
const composeProxy = documented('deploy/Caddyfile')
const haproxyMany = documented('  option httpchk GET /readyz')

export type RunningProxy = { name: string; version: string; stop: () => Promise<void> }

/** A certificate for localhost from an authority of our own, which this process and its children trust. */
export async function makeAuthority(place: Place): Promise<string> {
  const folder = join(place.root, 'etc/ssl')
  const authority = join(folder, 'authority.pem')
  await shell(
    place,
    `cd ${folder}
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj '/CN=Local authority' \\
      -keyout authority.key -out authority.pem 2>&1
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -keyout loci.key -out loci.csr 2>&1
    printf 'subjectAltName=DNS:localhost' > names
    openssl x509 -req -in loci.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 30 -extfile names -out loci.pem 2>&1
    cat loci.pem loci.key > loci-and-key.pem`,
  )
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), await readFile(authority, 'utf8')])
  return authority
}

/** Runs nginx with the block of the page as it is, but for paths and ports. */
export async function startNginx(place: Place, isMany: boolean): Promise<RunningProxy> {
  const folder = await folderOf(place, 'nginx')
  const server = here(place, take(nginx)).replace('listen 443', `listen 127.0.0.1:${place.ports.public}`)
  const upstream = isMany ? here(place, take(nginxMany)) : ''
  const single = `proxy_pass http://127.0.0.1:${place.ports.server};`
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  const file = join(folder, 'nginx.conf')
  await writeFile(
    file,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events {} http { access_log off; ${temporary}
    ${upstream}${isMany ? server.replace(single, 'proxy_pass http://loci;') : server} }`,
  )
  return start(
    place,
    'nginx',
    ['-c', file, '-p', folder, '-e', join(folder, 'error.log')],
    "nginx -v 2>&1 | sed 's,.*: ,,'",
  )
}

/** Caddy would ask a public authority for its certificate; it gets that of ours. */
export async function startCaddy(place: Place, isMany: boolean): Promise<RunningProxy> {
  const folder = await folderOf(place, 'caddy')
  const one = here(place, take(caddy))
  const page = isMany ? one.replace(/ {2}reverse_proxy [^}]*}\n/, here(place, take(caddyMany))) : one
  const site = page.replace('localhost {', `localhost:${place.ports.public} {\n  ${certificate(place)}`)
  const file = join(folder, 'Caddyfile')
  await writeFile(file, `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`)
  return start(place, 'caddy', caddyRuns(file), caddyVersion)
}

const caddyRuns = (file: string) => ['run', '--config', file, '--adapter', 'caddyfile']
const caddyVersion = 'echo Caddy $(caddy version)'

const certificate = ({ root }: Place) => `tls ${root}/etc/ssl/loci.pem ${root}/etc/ssl/loci.key`

export async function startHaproxy(place: Place, isMany: boolean): Promise<RunningProxy> {
  const folder = await folderOf(place, 'haproxy')
  const page = here(place, take(haproxy)).replace('bind :443', `bind 127.0.0.1:${place.ports.public}`)
  const many = isMany ? here(place, take(haproxyMany)) : undefined
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, many === undefined ? page : page.replace(/ {2}server one .*\n/, many))
  return start(place, 'haproxy', ['-db', '-f', file], "haproxy -v | sed -n 's, - .*,,;1p'")
}

/** The proxy of compose.yaml with its file as it is, but for ports and the containers' names. */
export async function startComposeProxy(place: Place): Promise<RunningProxy> {
  const { server, second, public: port } = place.ports
  const page = (await readFile(join(root, take(composeProxy)), 'utf8'))
    .replace(':7400 {', `:${port} {`)
    .replace('one:7400 two:7400', `127.0.0.1:${server} 127.0.0.1:${second}`)
  const file = join(await folderOf(place, 'compose'), 'Caddyfile')
  await writeFile(file, `{\n  admin off\n}\n${page}`)
  return start(place, 'caddy', caddyRuns(file), caddyVersion, `http://localhost:${port}`)
}

async function folderOf({ home }: Place, name: string): Promise<string> {
  const folder = join(home, name)
  await mkdir(folder, { recursive: true })
  return folder
}

async function start(
  place: Place,
  name: string,
  args: string[],
  versionOf: string,
  url = publicUrl(place),
): Promise<RunningProxy> {
  const version = (await shell(place, versionOf)).trim()
  const child: ChildProcess = spawn(name, args, {
    env: { PATH: '/usr/sbin:/usr/bin:/bin', HOME: place.home, XDG_DATA_HOME: place.home },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaints = ''
  child.stderr!.on('data', (piece) => (complaints += piece))
  const stop = () => end(child)
  place.onRemove(stop)
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${complaints}`)))
  })
  failed.catch(() => {})
  await Promise.race([untilReady(url), failed])
  return { name, version, stop }
}
