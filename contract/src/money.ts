/** Currencies whose smallest unit is not a hundredth, as Stripe counts them (https://docs.stripe.com/currencies). */
const withoutDecimals = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ')
const withThreeDecimals = 'bhd jod kwd omr tnd'.split(' ')

/** How many decimals an amount of a currency has: 2 for `usd`, 0 for `jpy`. The code is in lower case. */
export function decimalsOf(currency: string): number {
  if (withoutDecimals.includes(currency)) return 0
  return withThreeDecimals.includes(currency) ? 3 : 2
}

/** `1050` of `usd` is `$10.50`, of `jpy` `¥1,050`: an amount in the currency's smallest unit. */
export function formatMoney(amount: number, currency: string): string {
  const decimals = decimalsOf(currency)
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return format.format(amount / 10 ** decimals)
}

/** `1050` of `usd` is `10.50`: a plain number for tables. */
export function toDecimal(amount: number, currency: string): string {
  const decimals = decimalsOf(currency)
  return (amount / 10 ** decimals).toFixed(decimals)
}
