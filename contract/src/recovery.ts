import { z } from 'zod'
import { Email, LinkToken, NewPassword } from './auth.ts'

export const RequestPasswordReset = z.object({ email: Email })
export type RequestPasswordReset = z.infer<typeof RequestPasswordReset>

export const ConfirmPasswordReset = z.object({ token: LinkToken, password: NewPassword })
export type ConfirmPasswordReset = z.infer<typeof ConfirmPasswordReset>

export const VerifyEmail = z.object({ token: LinkToken })
export type VerifyEmail = z.infer<typeof VerifyEmail>
