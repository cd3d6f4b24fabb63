import type { ConfirmTestCard, ConfirmTestCardResponse, PaymentMethod } from '@loci/contract/billing'
import { AppError } from '../../../ground/errors/app-error.ts'
import { sha256 } from '../../../ground/lib/secrets.ts'
import type { Context } from '../../../tenancy/context.ts'
import { inAccount } from '../settle.ts'
import { addCard, retryNow } from './cards.ts'
import { deleteSetupIntent, hasSetupIntent } from './sandbox.repo.ts'
import { challengeFailed, readTestCard } from './test-cards.ts'

/**
 * Adds a test card using a setup intent, and consumes the intent. Throws `card_declined`, or `billing_conflict` if the
 * intent has expired or belongs to another account.
 */
export async function confirmCard(
  ctx: Context,
  accountId: number,
  input: ConfirmTestCard,
): Promise<ConfirmTestCardResponse> {
  const secretHash = sha256(input.clientSecret)
  if (!(await hasSetupIntent(ctx.db, accountId, secretHash, ctx.now()))) throw intentGone()
  const { needsChallenge, ...card } = readTestCard(input, ctx.now())
  if (needsChallenge && input.challenge === undefined) return { status: 'requires_action' }
  if (needsChallenge && input.challenge === 'failed') throw challengeFailed()
  let added: PaymentMethod | undefined
  await inAccount(ctx, accountId, async (inner, subscription) => {
    if (!(await hasSetupIntent(inner.db, accountId, secretHash, ctx.now()))) throw intentGone()
    await deleteSetupIntent(inner.db, accountId, secretHash)
    added = await addCard(inner, accountId, card)
    return added.isDefault ? retryNow(inner, subscription) : subscription
  })
  return { status: 'succeeded', paymentMethod: added! }
}

const intentGone = () => new AppError('billing_conflict', 'This card form is no longer valid. Open it again.')
