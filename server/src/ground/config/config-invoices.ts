import { z } from 'zod'

/** The seller, as printed on invoices. */
export type Seller = { name: string; address: string[]; taxId: string | undefined; email: string | undefined }

const addressLinesMax = 6

const line = (max: number) =>
  z
    .string()
    .max(max, `must be at most ${max} characters long`)
    .regex(/^[^\p{Cc}]*$/u, 'must be one line of text')

/** `\n` stands for a line break in files with one variable per line. */
const linesOf = (text: string) =>
  text
    .split(/\r?\n|\\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** The variables that configure the seller. */
export const invoiceVariables = {
  LOCI_INVOICE_NAME: line(128).optional().describe('seller on invoices: name'),
  LOCI_INVOICE_ADDRESS: z
    .string()
    .max(500, 'must be at most 500 characters long')
    .refine((text) => linesOf(text).length <= addressLinesMax, `must have at most ${addressLinesMax} lines`)
    .optional()
    .describe('seller on invoices: postal address, lines separated by `\\n`'),
  LOCI_INVOICE_TAX_ID: line(64)
    .optional()
    .describe('seller on invoices: tax number, such as `VAT DE123456789`'),
  LOCI_INVOICE_EMAIL: z
    .email('must be an e-mail address')
    .optional()
    .describe('where questions about an invoice go'),
} as const

type InvoiceEnvironment = { [Name in keyof typeof invoiceVariables]?: string | undefined }

/** The seller, undefined if none is set, or a sentence that says what is wrong. */
export function readSeller(env: InvoiceEnvironment): Seller | undefined | string {
  const { LOCI_INVOICE_NAME: name, LOCI_INVOICE_ADDRESS: address } = env
  const set = Object.keys(invoiceVariables).find((key) => env[key as keyof InvoiceEnvironment] !== undefined)
  if (set === undefined) return undefined
  if (name === undefined) return `${set} needs LOCI_INVOICE_NAME beside it`
  return {
    name,
    address: linesOf(address ?? ''),
    taxId: env.LOCI_INVOICE_TAX_ID,
    email: env.LOCI_INVOICE_EMAIL,
  }
}
