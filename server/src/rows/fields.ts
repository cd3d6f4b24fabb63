/** How the value of a field is kept in its column, which is null if it was not given. */
type Field<Value, Row> = {
  column: keyof Row & string
  /** Texts count towards the bytes that a plan limits; numbers and times do not. */
  isCounted: boolean
  write: (value: Value) => string | number
  read: (stored: never) => Value
}

/** Kept as JSON. */
export const json = <Value>() => ({
  isCounted: true as const,
  write: (value: Value) => JSON.stringify(value),
  read: (stored: string): Value => JSON.parse(stored),
})

/** A short text, as it was given. */
export const asGiven = {
  isCounted: false as const,
  write: (value: string) => value,
  read: (stored: string): string => stored,
}

const isNone = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0)

/** The optional fields of a subject: one entry each, in the contract's name. */
export const fieldsOf =
  <Values extends object, Row>() =>
  <const F extends { [Name in keyof Required<Values>]: Field<NonNullable<Values[Name]>, Row> }>(
    fields: F,
  ) => {
    type Columns = Pick<Row, F[keyof F]['column']>
    type Counted = Extract<F[keyof F], { isCounted: true }>['column']
    const list = Object.entries(fields as unknown as Record<string, Field<never, Row>>).map(
      ([name, field]) => ({ name, ...field }),
    )
    return {
      names: Object.keys(fields) as (keyof Values & string)[],
      /** The columns whose bytes count. */
      counted: list.filter(({ isCounted }) => isCounted).map(({ column }) => column as Counted),
      /** The values of all their columns. */
      write(values: Partial<Values>): Columns {
        const columns: Record<string, unknown> = {}
        for (const { name, column, write } of list) {
          const value = Reflect.get(values, name)
          columns[column] = isNone(value) ? null : write(value as never)
        }
        return columns as Columns
      },
      isEmpty: (row: Columns): boolean => list.every(({ column }) => row[column as keyof Columns] === null),
      /** Adds those that a row has to `shown`. */
      read(row: Columns, shown: Values): void {
        for (const { name, column, read } of list) {
          const stored = row[column as keyof Columns]
          if (stored !== null) (shown as Record<string, unknown>)[name] = read(stored as never)
        }
      },
      /** Adds those that are given to `shown`. */
      copy(given: Values, shown: Values): void {
        for (const { name } of list) {
          const value = (given as Record<string, unknown>)[name]
          if (value !== undefined) (shown as Record<string, unknown>)[name] = value
        }
      },
    }
  }
