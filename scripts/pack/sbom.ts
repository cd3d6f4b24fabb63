import type { LockedPackage } from './locked-packages.ts'

/** The list of a package's contents lies beside its manifest under this name. */
export const sbomFile = 'sbom.cdx.json'

type Described = { name: string; version: string }
type Contents = { packages: readonly LockedPackage[]; direct: readonly string[] }

/**
 * A software bill of materials (CycloneDX 1.6) of a program: the packages bundled in it, with licence, checksum of what
 * npm delivered, and what needs what. The same contents give the same text.
 */
export function sbomOf(program: Described, { packages, direct }: Contents): object {
  const dependsOn = (paths: readonly string[]) => [...new Set(paths)].sort()
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': 'program', ...identityOf(program) } },
    components: packages.map((one) => ({
      type: 'library',
      'bom-ref': one.path,
      ...identityOf(one),
      licenses: [licenceOf(one.license)],
      hashes: [hashOf(one.integrity)],
    })),
    dependencies: [
      { ref: 'program', dependsOn: dependsOn(direct) },
      ...packages.map(({ path, needs }) => ({ ref: path, dependsOn: dependsOn(needs) })),
    ],
  }
}

/** A scope is written with its `@` percent-encoded in a package URL. */
const identityOf = ({ name, version }: Described) => ({
  name,
  version,
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
})

function licenceOf(license: string): object {
  if (license === '') return { license: { name: 'in THIRD-PARTY-NOTICES.txt' } }
  return /^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }
}

/** From base64, as the lock file writes it, to hex. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [, bits = '', base64 = ''] = /^sha(\d+)-(.+)$/.exec(integrity) ?? []
  return { alg: `SHA-${bits}`, content: Buffer.from(base64, 'base64').toString('hex') }
}
