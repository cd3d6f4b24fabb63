const wordsMax = 40
const slipsMax = 2
const similarMin = 4

/** A query's words in lower case. */
export const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, wordsMax)

/** Whether two words differ only in their endings: "deadlock" and "deadlocks", "happy" and "happier". */
export function areForms(a: string, b: string): boolean {
  let alike = 0
  while (alike < a.length && a[alike] === b[alike]) alike += 1
  const rests = [a.length - alike, b.length - alike]
  return alike >= Math.min(3, a.length, b.length) && Math.min(...rests) <= 1 && Math.max(...rests) <= 4
}

/** Whether two words differ by a typo or two: letters omitted, added, replaced or transposed. */
export function areSimilar(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < similarMin || Math.abs(a.length - b.length) > slipsMax) return false
  return slipsBetween(a, b) <= slipsMax
}

/** The optimal string alignment distance. */
function slipsBetween(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwapped) row[j] = Math.min(row[j]!, before[j - 2]! + 1)
    }
    before = last
    last = row
  }
  return last[b.length]!
}
