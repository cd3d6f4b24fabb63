import { type CreateView, type SavedView, type UpdateView, viewsMax } from '@loci/contract/views'
import { AppError } from '../../ground/errors/app-error.ts'
import { toIso } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { listUserNames } from '../../tenancy/auth/user-names.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import * as views from './views.repo.ts'

/** Oldest first. */
export async function listViews({ db }: Context, actor: Actor): Promise<SavedView[]> {
  const stored = await views.listViewRows(db, actor, viewsMax)
  const names = await listUserNames(
    db,
    stored.map(({ createdBy }) => createdBy),
  )
  return stored.map((view) => toSavedView(view, names))
}

/** Throws `view_name_taken`, `view_limit_reached`. */
export async function createView(
  ctx: Context,
  actor: Actor,
  { name, ...state }: CreateView,
): Promise<SavedView> {
  return changeViews(ctx, actor, async (inner, present) => {
    if (present.length >= viewsMax) {
      const message = `A space has ${viewsMax} saved views at most. Delete one that nobody uses any more.`
      throw new AppError('view_limit_reached', message)
    }
    requireFreeName(present, name)
    const at = inner.now()
    const view = {
      id: inner.newId('view'),
      name,
      state,
      createdBy: actor.userId,
      createdAt: at,
      updatedAt: at,
    }
    await views.insertView(inner.db, actor, view)
    return view
  })
}

/** Throws `view_not_found`, `view_name_taken`. */
export async function updateView(
  ctx: Context,
  actor: Actor,
  id: string,
  { name, search, camera, pins }: UpdateView,
): Promise<SavedView> {
  return changeViews(ctx, actor, async (inner, present) => {
    const view = present.find((candidate) => candidate.id === id)
    if (view === undefined) throw notFound()
    if (name !== undefined && name !== view.name) requireFreeName(present, name)
    const { state } = view
    const changed = {
      ...view,
      name: name ?? view.name,
      state: {
        search: search ?? state.search,
        camera: camera ?? state.camera,
        pins: pins ?? state.pins,
      },
      updatedAt: inner.now(),
    }
    await views.updateViewRow(inner.db, actor, changed)
    return changed
  })
}

/** Throws `view_not_found`. */
export async function deleteView(ctx: Context, actor: Actor, id: string): Promise<void> {
  await transact(ctx, actor.accountId, async ({ db }) => {
    await lockAccount(db, actor.accountId)
    if ((await views.findView(db, actor, id)) === undefined) throw notFound()
    await views.deleteViewRow(db, actor, id)
  })
}

/** Locks the account, so that views saved concurrently are counted and named one after the other. */
function changeViews(
  ctx: Context,
  actor: Actor,
  change: (inner: Context, present: views.StoredView[]) => Promise<views.StoredView>,
): Promise<SavedView> {
  return transact(ctx, actor.accountId, async (inner) => {
    await lockAccount(inner.db, actor.accountId)
    const view = await change(inner, await views.listViewRows(inner.db, actor, viewsMax))
    return toSavedView(view, await listUserNames(inner.db, [view.createdBy]))
  })
}

function requireFreeName(present: readonly views.StoredView[], name: string): void {
  if (present.some((view) => view.name === name)) {
    throw new AppError('view_name_taken', 'A view with this name already exists')
  }
}

const notFound = () => new AppError('view_not_found', 'View not found')

function toSavedView({ state, ...view }: views.StoredView, names: ReadonlyMap<string, string>): SavedView {
  return {
    ...state,
    id: view.id,
    name: view.name,
    createdBy: { name: names.get(view.createdBy) ?? 'Unknown' },
    createdAt: toIso(view.createdAt),
    updatedAt: toIso(view.updatedAt),
  }
}
