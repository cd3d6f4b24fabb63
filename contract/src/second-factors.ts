import { z } from 'zod'
import { deviceTokensMax, LinkToken, passwordMax } from './auth.ts'
import { IsoDateTime, nameText, text } from './text.ts'

/** Codes issued with the first second factor and whenever they are regenerated. */
export const recoveryCodesPerPerson = 10
/** Seconds that a code of an authenticator app is valid, and its number of digits (RFC 6238). */
export const totpPeriodSeconds = 30
export const totpDigits = 6
export const passkeysPerPersonMax = 25
export const passkeyNameMax = 64

/** From an authenticator app or a recovery code; spaces and hyphens are ignored. */
const Code = text(1, 64, 'Code')

/** Bytes as encoded in WebAuthn's JSON. */
const Base64url = z
  .string()
  .regex(/^[\w-]*$/, 'Must be base64url')
  .max(16_384)
const credential = { id: Base64url, rawId: Base64url, type: z.literal('public-key') }
const extensions = { clientExtensionResults: z.record(z.string(), z.unknown()).default({}) }

/** The browser's response to a request for a passkey (WebAuthn, AuthenticationResponseJSON). */
export const PasskeyProof = z.object({
  ...credential,
  ...extensions,
  response: z.object({
    clientDataJSON: Base64url,
    authenticatorData: Base64url,
    signature: Base64url,
    userHandle: Base64url.optional(),
  }),
})
export type PasskeyProof = z.infer<typeof PasskeyProof>

/** The browser's response after creating a passkey (WebAuthn, RegistrationResponseJSON). */
export const MadePasskey = z.object({
  ...credential,
  ...extensions,
  response: z.object({
    clientDataJSON: Base64url,
    attestationObject: Base64url,
    transports: z
      .array(text(1, 32, 'Transport'))
      .max(10)
      .optional(),
  }),
})
export type MadePasskey = z.infer<typeof MadePasskey>

/** For the browser, in WebAuthn's JSON; single use, valid for five minutes. */
export const PasskeyOptionsResponse = z.object({ options: z.record(z.string(), z.unknown()) })

export const SecondFactorMethod = z.enum(['totp', 'passkey', 'recovery_code'])
export type SecondFactorMethod = z.infer<typeof SecondFactorMethod>

/** In `details` of 403 `second_factor_required`: the password was right, and one of these must follow. */
export const SecondStep = z.object({
  /** Proves the first step. */
  token: z.string(),
  methods: z.array(SecondFactorMethod),
  expiresAt: IsoDateTime,
})
export type SecondStep = z.infer<typeof SecondStep>

const deviceTokens = z.array(z.string().max(128)).max(deviceTokensMax).optional()

/** A code or a passkey after the password. */
export const FinishLogin = z
  .object({
    token: LinkToken,
    code: Code.optional(),
    passkey: PasskeyProof.optional(),
    deviceTokens,
  })
  .refine(({ code, passkey }) => (code === undefined) !== (passkey === undefined), {
    error: 'Send either a code or a passkey',
    path: ['code'],
  })
export type FinishLogin = z.infer<typeof FinishLogin>

/** `token`: from a second step, for the passkeys of that person. Without it, any passkey in the browser. */
export const PasskeyLoginOptions = z.object({ token: LinkToken.optional() })
export const PasskeyLogin = z.object({ passkey: PasskeyProof, deviceTokens })
export type PasskeyLogin = z.infer<typeof PasskeyLogin>

/**
 * Proof that the caller is the person whose sign-in is changed: the password, plus a code if there is a
 * second factor; or a passkey.
 */
export const Proof = z.object({
  password: text(1, passwordMax, 'Password').optional(),
  code: Code.optional(),
  passkey: PasskeyProof.optional(),
})
export type Proof = z.infer<typeof Proof>

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether it is synced between devices, so that losing a device does not lose it. */
  synced: z.boolean(),
  createdAt: IsoDateTime,
  lastUsedAt: IsoDateTime.nullable(),
})
export type Passkey = z.infer<typeof Passkey>

/** How the caller signs in besides the password. */
export const SecondFactors = z.object({
  /** The authenticator app; null if none is set up. */
  totp: z.object({ since: IsoDateTime }).nullable(),
  passkeys: z.array(Passkey),
  /** Number of unused recovery codes. */
  recoveryCodes: z.number().int(),
})
export type SecondFactors = z.infer<typeof SecondFactors>

/** Confirm with a code within ten minutes; until then nothing changes. */
export const NewTotp = z.object({
  /** Base 32, for an app that cannot scan the QR code. */
  secret: z.string(),
  /** An `otpauth://` URI, for the QR code. */
  uri: z.string(),
  /** Send back with the code. */
  setup: z.string(),
})
export type NewTotp = z.infer<typeof NewTotp>

export const ConfirmTotp = z.object({ setup: text(1, 1_024, 'Setup'), code: Code })
export type ConfirmTotp = z.infer<typeof ConfirmTotp>

/** Shown once. Null if the caller already has codes; those stay valid. */
export const NewRecoveryCodes = z.object({ recoveryCodes: z.array(z.string()).nullable() })
export type NewRecoveryCodes = z.infer<typeof NewRecoveryCodes>

const passkeyName = nameText(passkeyNameMax, 'Name').transform((value) => value.trim())
export const AddPasskey = z.object({ name: passkeyName, passkey: MadePasskey })
export type AddPasskey = z.infer<typeof AddPasskey>
export const AddedPasskey = NewRecoveryCodes.extend({ passkey: Passkey })
export type AddedPasskey = z.infer<typeof AddedPasskey>
export const RenamePasskey = z.object({ name: passkeyName })
export const PasskeyAnswer = z.object({ passkey: Passkey })

/** Whether every member of the account needs a second factor. */
export const SecondFactorRule = z.object({ required: z.boolean() })
export type SecondFactorRule = z.infer<typeof SecondFactorRule>
