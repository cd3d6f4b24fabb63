import type { ExportFormat } from '@loci/contract/imports'
import type { MomentOrSeq } from '@loci/contract/moments'
import { toId } from '../../ground/lib/ids.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'

/**
 * Records an export in the audit log before it begins. A failed write does not stop it: people can export their data
 * even on a full disk or from a damaged file.
 */
export async function recordExport(
  ctx: Context,
  actor: Actor,
  { format, asOf }: { format: ExportFormat; asOf?: MomentOrSeq | undefined },
): Promise<void> {
  const space = toId('spc', actor.spaceId)
  const details = { space, format, ...(asOf === undefined ? {} : { asOf: String(asOf) }) }
  try {
    await recordAudit(ctx, actor, { action: 'data_exported', subject: { kind: 'export' }, details })
  } catch (error) {
    ctx.log.error(
      { err: error, account: actor.accountId },
      'an export could not be recorded in the audit log',
    )
  }
}
