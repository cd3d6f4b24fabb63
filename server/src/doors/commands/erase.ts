import { eraseEntities } from '../../features/changes/changes.service.ts'
import { type Erasable, findErasable } from '../../features/changes/find-erasable.ts'
import { ConfigError } from '../../ground/config/config.ts'
import { withoutControls } from '../../ground/lib/without-controls.ts'
import { type AccountOption, onAccount } from './account-option.ts'
import { requireConsent } from './prompt.ts'

type Options = AccountOption & { id?: string[]; yes?: boolean }

/** `loci erase`: all names and ids are found before anything is erased. */
export async function erase(names: string[], { id: ids = [], ...options }: Options): Promise<void> {
  if (names.length + ids.length === 0)
    throw new ConfigError('Name the entities to erase, or give their ids with --id.')
  await onAccount(options, 'erase', async (ctx, actor) => {
    const entities = await findErasable(ctx, actor, { names, ids })
    const list = entities.map(describe).join(', ')
    await requireConsent(withoutControls(`This erases for good, also from history: ${list}.`), options)
    await eraseEntities(
      ctx,
      actor,
      entities.map(({ id }) => id),
    )
    process.stdout.write(`Erased ${entities.length} ${entities.length === 1 ? 'entity' : 'entities'}.\n`)
  })
}

const describe = ({ id, name, type, isDeleted }: Erasable) =>
  `${JSON.stringify(name)} (${type}, ${isDeleted ? 'deleted, ' : ''}${id})`
