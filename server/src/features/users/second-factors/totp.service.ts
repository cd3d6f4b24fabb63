import type { ConfirmTotp, NewRecoveryCodes, NewTotp } from '@loci/contract/second-factors'
import { publicAddress } from '../../../ground/config/config.ts'
import { invalidField } from '../../../ground/errors/app-error.ts'
import { minuteMs } from '../../../ground/lib/time.ts'
import type { Actor } from '../../../tenancy/auth/actor.ts'
import type { Context } from '../../../tenancy/context.ts'
import { changeFactors } from './change-factors.ts'
import { requirePerson } from './person.ts'
import { wrongCode } from './require-proof.ts'
import { totpOff, totpOn } from './second-factor-mails.ts'
import { findTotp, setTotp } from './second-factors.repo.ts'
import { findTotpStep, newTotp, plainCode } from './totp.rules.ts'

const setupLifeMs = 10 * minuteMs

/** Content of the sealed token from {@link beginTotp}; nothing is stored until the app has proved to work. */
type Setup = { userId: string; secret: string; expiresAt: number }

/** Creates a secret for an authenticator app. It takes effect when {@link confirmTotp} is called with its code. */
export async function beginTotp(ctx: Context, actor: Actor): Promise<NewTotp> {
  const { email } = await requirePerson(ctx, actor.userId)
  const { secret, uri } = await newTotp(email)
  const setup: Setup = { userId: actor.userId, secret, expiresAt: ctx.now() + setupLifeMs }
  return { secret, uri, setup: ctx.secretBox.seal(JSON.stringify(setup)) }
}

/** Activates the app, replacing the previous one. Throws `validation_failed` for a wrong code. */
export async function confirmTotp(
  ctx: Context,
  actor: Actor,
  { setup, code }: ConfirmTotp,
): Promise<NewRecoveryCodes> {
  const { userId } = actor
  const { secret } = openSetup(ctx, userId, setup)
  const step = await findTotpStep(secret, plainCode(code), ctx.now())
  if (step === undefined) throw invalidField('code', wrongCode)
  const told = {
    notice: totpOn(publicAddress(ctx.config)),
    event: { action: 'authenticator_added' as const },
  }
  return changeFactors(ctx, actor, told, ({ db, now, secretBox }) =>
    setTotp(db, userId, { secret: secretBox.seal(secret), since: now(), step }),
  )
}

function openSetup({ secretBox, now }: Context, userId: string, sealed: string): Setup {
  const text = secretBox.open(sealed)
  const setup = text?.startsWith('{') ? (JSON.parse(text) as Partial<Setup>) : {}
  if (setup.userId === userId && setup.secret !== undefined && (setup.expiresAt ?? 0) > now())
    return setup as Setup
  throw invalidField('setup', 'This took too long. Begin again.')
}

/** Does nothing if none is set up. */
export async function deleteTotp(ctx: Context, actor: Actor): Promise<void> {
  if ((await findTotp(ctx.db, actor.userId)) === undefined) return
  const told = {
    notice: totpOff(publicAddress(ctx.config)),
    event: { action: 'authenticator_removed' as const },
  }
  await changeFactors(ctx, actor, told, ({ db }) => setTotp(db, actor.userId, null))
}
