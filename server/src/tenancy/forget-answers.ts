import { breathe } from '../ground/lib/pace.ts'
import type { Context } from './context.ts'
import { deleteIdempotencyKey, listIdempotencyKeys } from './idempotency.repo.ts'

const answersPerRead = 50
const idInText = /\b(?:ent|obs|rel)_[0-9a-z]{1,11}\b/g

/** Deletes stored responses that mention one of these ids: their requests would run again. */
export async function forgetAnswersWith(
  { db, secretBox }: Context,
  accountId: number,
  ids: ReadonlySet<string>,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: { key: string; body: string }[] = await listIdempotencyKeys(db, accountId, {
      after,
      limit: answersPerRead,
    })
    for (const { key, body } of page) {
      await breathe()
      const text = body === '' ? '' : secretBox.open(body)
      if (text?.match(idInText)?.some((id) => ids.has(id))) await deleteIdempotencyKey(db, accountId, key)
    }
    after = page.length < answersPerRead ? undefined : page.at(-1)?.key
  }
}
