import { TestCard } from '@loci/contract/billing'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../ground/errors/app-error.ts'
import { html } from '../../../ground/lib/html.ts'
import { baseUrlOf, isOwnAddress } from '../../../tenancy/base-url.ts'
import type { Context } from '../../../tenancy/context.ts'
import { inBillingTime } from '../billing-time.ts'
import { findInvoiceByUrl } from '../invoices.repo.ts'
import { readMarks } from '../ledger/invoice-marks.ts'
import { type CheckoutView, getCheckout, type Payment, payCheckout } from './checkout.ts'
import { challengeForm, checkoutForm, completedCheckout } from './checkout-page.ts'
import type { ShownInvoice } from './invoice-corrections.ts'
import { invoiceBody } from './invoice-page.ts'
import { invoicesPath } from './invoicing.ts'
import { sendPage } from './page.ts'
import { payInvoice } from './pay-invoice.ts'
import { checkoutPath } from './sandbox-gateway.ts'

const formBytesMax = 16_384
type WithToken = { Params: { token: string } }

/** The sandbox's checkout and invoice pages. The address alone grants access, as at a real gateway. */
export function registerSandboxPages(app: FastifyInstance, ctx: Context): void {
  app.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formBytesMax },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    pages.setErrorHandler((error, _request, reply) => sendRefusal(reply, error))
    pages.get<WithToken>(`${checkoutPath}/:token`, async (request, reply) =>
      sendCheckout(reply, await checkoutOf(ctx, request)),
    )
    pages.post<WithToken & { Body: unknown }>(`${checkoutPath}/:token`, (request, reply) =>
      pay(ctx, request, reply, formOf(request)),
    )
    pages.get<WithToken>(`${invoicesPath}/:token`, async ({ params }, reply) => {
      return sendInvoice(reply, await requireInvoice(ctx, params.token))
    })
    pages.post<WithToken & { Body: unknown }>(`${invoicesPath}/:token/pay`, (request, reply) =>
      payInvoiceOfPage(ctx, request, reply),
    )
    pages.get<WithToken>(`${invoicesPath}/:token/pdf`, async ({ params }, reply) => {
      const invoice = await requireInvoice(ctx, params.token)
      // Loaded on demand: the PDF library is large and few servers ever need it.
      const { invoicePdf } = await import('./invoice-pdf.ts')
      return reply
        .header('content-disposition', `inline; filename="${invoice.number}.pdf"`)
        .header('cache-control', 'no-store')
        .type('application/pdf')
        .send(invoicePdf(invoice))
    })
  })
}

function sendRefusal(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof AppError)) throw error
  const body = html`<h1>${error.message}</h1>`
  return sendPage(reply, { title: error.message, body, status: error.status })
}

/** Returns the checkout of a page. Its return addresses point to this server, whatever name it was begun under. */
async function checkoutOf(ctx: Context, request: FastifyRequest<WithToken>): Promise<CheckoutView> {
  const checkout = await getCheckout(await inBillingTime(ctx), request.params.token)
  const ownOf = (url: string) =>
    isOwnAddress(ctx.config, request, url) ? url : `${baseUrlOf(ctx.config, request)}/billing`
  return { ...checkout, successUrl: ownOf(checkout.successUrl), cancelUrl: ownOf(checkout.cancelUrl) }
}

function sendCheckout(reply: FastifyReply, checkout: CheckoutView, refusal?: AppError): FastifyReply {
  const body =
    checkout.completedAt === null ? checkoutForm(checkout, refusal?.message) : completedCheckout(checkout)
  return sendPage(reply, {
    title: 'Checkout (test mode)',
    body,
    status: refusal?.status ?? 200,
    returnsTo: [checkout.successUrl, checkout.cancelUrl],
  })
}

const formOf = ({ body }: FastifyRequest) => (body instanceof URLSearchParams ? body : new URLSearchParams())

function sendInvoice(reply: FastifyReply, invoice: ShownInvoice, refusal?: AppError): FastifyReply {
  const title = `Invoice ${invoice.number}`
  const body = invoiceBody(invoice, refusal?.message)
  return sendPage(reply, { title, body, status: refusal?.status ?? 200, isWide: true })
}

/** A declined payment shows the invoice again with the reason. */
async function payInvoiceOfPage(
  ctx: Context,
  request: FastifyRequest<WithToken>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const invoice = await requireInvoice(ctx, request.params.token)
  try {
    const result = await payInvoice(await inBillingTime(ctx), invoice, readPayment(formOf(request)))
    if (result.kind === 'done') return reply.redirect(invoice.hostedUrl ?? '/', 303)
    return sendPage(reply, { title: 'Your bank asks', body: challengeForm(result.sealedCard) })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return sendInvoice(reply, await requireInvoice(ctx, request.params.token), error)
  }
}

/** A declined payment shows the form again with the reason. */
async function pay(
  ctx: Context,
  request: FastifyRequest<WithToken>,
  reply: FastifyReply,
  form: URLSearchParams,
): Promise<FastifyReply> {
  const checkout = await checkoutOf(ctx, request)
  try {
    const result = await payCheckout(await inBillingTime(ctx), request.params.token, readPayment(form))
    if (result.kind === 'done') return reply.redirect(checkout.successUrl, 303)
    const returnsTo = [checkout.successUrl]
    return sendPage(reply, { title: 'Your bank asks', body: challengeForm(result.sealedCard), returnsTo })
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return sendCheckout(reply, checkout, error)
    throw error
  }
}

/** Throws `validation_failed`. */
function readPayment(form: URLSearchParams): Payment {
  const action = form.get('action') ?? 'card'
  if (action === 'on_file') return { kind: 'on_file' }
  if (action.startsWith('challenge')) {
    const sealedCard = form.get('sealedCard') ?? ''
    return { kind: 'challenge', sealedCard, completed: action === 'challenge_completed' }
  }
  const [month, year] = (form.get('expiry') ?? '').split('/').map(Number)
  const card = TestCard.safeParse({
    number: form.get('number') ?? '',
    expMonth: month,
    expYear: year === undefined ? undefined : year < 100 ? 2000 + year : year,
    cvc: form.get('cvc') ?? '',
  })
  if (!card.success) throw new AppError('validation_failed', 'Please check the card details')
  return { kind: 'card', card: card.data }
}

async function requireInvoice(ctx: Context, token: string): Promise<ShownInvoice & { accountId: number }> {
  const invoice = await findInvoiceByUrl(ctx.db, `${invoicesPath}/${token}`)
  if (invoice === undefined) throw new AppError('invoice_not_found', 'There is no such invoice')
  const marksOf = await readMarks(ctx, invoice.accountId, [invoice.id])
  return { ...invoice, marks: marksOf(invoice.id) }
}
