import { join } from 'node:path'
import { type Config, ConfigError } from '../ground/config/config.ts'
import { ownCommand } from '../ground/lib/own-command.ts'
import { createSecretBox, type SecretBox } from '../ground/lib/secrets.ts'
import { findSecret, makeSecret, secretFileName } from '../ground/secret.ts'
import type { Db } from '../store/db.ts'
import { findSealedCheck, insertSealedCheck, replaceSealedCheck } from './sealed-checks.repo.ts'

/** Boxes for personal keys and stored responses. */
const boxPurpose = 'personal-api-key'
const checkPurpose = 'secret-check'
const checkedText = 'loci'

type Place = Pick<Config, 'secret' | 'secretOld' | 'dataDir' | 'databaseUrl'>

/**
 * The box of the secret that this database has been used with; at the first start a secret is generated unless one is
 * given. The database contains a value sealed with its secret: throws {@link ConfigError} if ours does not open it.
 */
export async function openSecret(config: Place, db: Db): Promise<SecretBox> {
  const given = findSecret(config)
  const secret = given ?? ((await findSealedCheck(db)) === undefined ? makeSecret(config) : undefined)
  if (secret === undefined) throw new ConfigError(`${missing(config)} ${advice}`)
  const check = createSecretBox(secret, checkPurpose, config.secretOld)
  const sealed = (await findSealedCheck(db)) ?? (await insertSealedCheck(db, check.seal(checkedText)))
  if (check.open(sealed) !== checkedText) throw new ConfigError(`${wrong(config)} ${advice}`)
  return createSecretBox(secret, boxPurpose, config.secretOld)
}

/**
 * Records that nothing is sealed with the previous secret any more: processes that have only that one are refused
 * from now on.
 */
export async function endRotation(config: Place, db: Db): Promise<void> {
  const sealed = await findSealedCheck(db)
  const check = createSecretBox(findSecret(config)!, checkPurpose, config.secretOld)
  const resealed = sealed === undefined ? undefined : check.reseal(sealed)
  if (resealed !== undefined) await replaceSealedCheck(db, resealed)
}

/** Makes our secret the database's secret. Values sealed with another one can no longer be opened. */
export async function acceptSecret(config: Place, db: Db): Promise<void> {
  const secret = findSecret(config) ?? makeSecret(config)
  const sealed = createSecretBox(secret, checkPurpose).seal(checkedText)
  await insertSealedCheck(db, sealed)
  await replaceSealedCheck(db, sealed)
}

/** Whether the database's check value was sealed with this secret. */
export function isSecretOf(secret: string, sealedCheck: string): boolean {
  return createSecretBox(secret, checkPurpose).open(sealedCheck) === checkedText
}

const advice = `Put the right one back. To change the secret, set LOCI_SECRET to the new one and LOCI_SECRET_OLD to the former one. If it is lost, run "${ownCommand('secret reset')}": the memory is kept, but everybody has to roll their personal API key before it can be shown again.`

const missing = ({ dataDir }: Place) =>
  `The secret of this database is missing: there is no ${join(dataDir, secretFileName)}, and LOCI_SECRET is not set.`

const wrong = ({ secret, dataDir }: Place) =>
  `${secret === undefined ? join(dataDir, secretFileName) : 'LOCI_SECRET'} is not the secret that this database has been used with.`
