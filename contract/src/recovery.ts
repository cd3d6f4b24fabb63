import { z } from 'zod'
import { Email, NewPassword } from './auth.ts'
import { text } from './text.ts'

/** Of a link that was sent by mail. It opens what it is for once. */
export const LinkToken = text(1, 128, 'Link')

export const RequestPasswordReset = z.object({ email: Email })
export type RequestPasswordReset = z.infer<typeof RequestPasswordReset>

export const ConfirmPasswordReset = z.object({ token: LinkToken, password: NewPassword })
export type ConfirmPasswordReset = z.infer<typeof ConfirmPasswordReset>

export const VerifyEmail = z.object({ token: LinkToken })
export type VerifyEmail = z.infer<typeof VerifyEmail>
