import { memoised } from '../ground/lib/memoised.ts'

type CamelName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail>>}`
  : Name

type SnakeName<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Uncapitalize<Head>}${Tail extends Uncapitalize<Tail> ? '' : '_'}${SnakeName<Tail>}`
  : Name

/** A row by the names of the code: `accountId` for the column `account_id`. */
export type CamelRow<Row> = { [Name in keyof Row & string as CamelName<Name>]: Row[Name] }
type SnakeRow<Row> = { [Name in keyof Row & string as SnakeName<Name>]: Row[Name] }

const namesMax = 1_000
const camelName = memoised(namesMax, (name) => name.replace(/_./g, ([, letter = '']) => letter.toUpperCase()))
const snakeName = memoised(namesMax, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

const renamed = (row: object, nameOf: (name: string) => string) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [nameOf(name), value]))

export const toCamelRow = <Row extends object>(row: Row) => renamed(row, camelName) as CamelRow<Row>

/** Each field has to have a column of its name. */
export const toSnakeRow = <Row extends object>(row: Row) => renamed(row, snakeName) as SnakeRow<Row>
