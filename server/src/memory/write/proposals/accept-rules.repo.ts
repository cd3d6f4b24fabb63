import type { Db } from '../../../store/db.ts'
import type { AcceptRulesTable } from '../../../store/schema.ts'
import { isIn } from '../../../tenancy/scope.repo.ts'
import type { Scope } from '../../../tenancy/scope.ts'

const inSpace = (db: Db, { accountId, spaceId }: Scope) =>
  db
    .selectFrom('accept_rules')
    .where('accept_rules.account_id', '=', accountId)
    .where('accept_rules.space_id', '=', spaceId)

/** Newest first. */
export const listRules = (db: Db, scope: Scope, limit: number): Promise<AcceptRulesTable[]> =>
  inSpace(db, scope).selectAll().orderBy('id', 'desc').limit(limit).execute()

/** The rules for a proposer, each with the role of the person who made it, if they still have one. */
export const findRulesFor = (db: Db, scope: Scope, { kind, ref }: { kind: string; ref: string }) =>
  inSpace(db, scope)
    .leftJoin('members', (join) =>
      join
        .onRef('members.account_id', '=', 'accept_rules.account_id')
        .onRef('members.user_id', '=', 'accept_rules.created_by')
        .on('members.suspended_at', 'is', null),
    )
    .select(['accept_rules.type', 'accept_rules.created_by as createdBy', 'members.role'])
    .where('accept_rules.kind', '=', kind)
    .where('accept_rules.ref', '=', ref)
    .execute()

/** Makes a rule; one for the same proposer and type is replaced. */
export async function putRule(db: Db, rule: AcceptRulesTable): Promise<void> {
  await db
    .deleteFrom('accept_rules')
    .where('account_id', '=', rule.account_id)
    .where('space_id', '=', rule.space_id)
    .where('kind', '=', rule.kind)
    .where('ref', '=', rule.ref)
    .where('type', '=', rule.type)
    .execute()
  await db.insertInto('accept_rules').values(rule).execute()
}

/** The deleted rule; undefined if there was none. */
export const deleteRule = (db: Db, scope: Scope, id: string) =>
  db
    .deleteFrom('accept_rules')
    .where(isIn(scope))
    .where('id', '=', id)
    .returning(['type', 'actor_id as actorId'])
    .executeTakeFirst()

export async function findSpaceName(db: Db, scope: Scope): Promise<string> {
  const row = await db.selectFrom('spaces').select('name').where(isIn(scope)).executeTakeFirst()
  return row?.name ?? ''
}
