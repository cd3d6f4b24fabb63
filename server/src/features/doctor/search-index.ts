import { listOutdatedSpaces } from '../../search/store/rows-to-index.repo.ts'
import { indexVersion } from '../../search/store/search-index.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { type Finding, ok, warning } from './finding.ts'

const spacesMax = 100

export async function examineIndex({ db }: Context): Promise<Finding> {
  const outdated = await listOutdatedSpaces(db, indexVersion, spacesMax)
  if (outdated.length === 0) return ok('index', `The search index is of version ${indexVersion}.`)
  const many = outdated.length === spacesMax ? `${spacesMax} or more` : String(outdated.length)
  const says = `The search index of ${many} spaces is of an older version, or is being rebuilt.`
  return warning('index', says, 'A server rebuilds it when it starts ("loci serve"); see its log.')
}
