/** A count with what is counted, as in "1 entity" and "2,000 entities". */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
