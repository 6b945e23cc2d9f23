const UNITS: Readonly<Record<string, number>> = {
  byte: 1,
  bytes: 1,
  KB: 1000,
  MB: 1_000_000,
}

/** Parses a number, also with separators, a size unit, or a per cent sign. */
function getNumber(text: string): number {
  const [, digits = '', unit = ''] =
    /^(-?[\d,]*\.?\d+(?:e[+-]?\d+)?) ?([a-z]+|%)?$/i.exec(text) ?? []
  const number = Number(digits.replaceAll(',', '') || Number.NaN)
  return unit === '' || unit === '%' ? number : number * (UNITS[unit] ?? Number.NaN)
}

// One collator, because creating one for each pair would take longer than the sorting. Created on first use.
let collator: Intl.Collator | undefined

/** Sorts rows by the text of one cell: as numbers if all of them are numbers, also with a unit; else as words. Empty cells of numbers come last. */
export function sortRows<Row>(
  rows: readonly Row[],
  getText: (row: Row) => string,
  order: 'ascending' | 'descending',
): readonly Row[] {
  const sign = order === 'ascending' ? 1 : -1
  // Each text is parsed once, because a table may have 100,000 rows.
  const cells = rows.map((row) => {
    const text = getText(row)
    return { row, text, number: text === '' ? Infinity : getNumber(text) }
  })
  if (cells.every(({ number }) => !Number.isNaN(number)))
    cells.sort((one, other) => sign * compareNumbers(one.number, other.number))
  else {
    collator ??= new Intl.Collator(undefined, { numeric: true })
    const { compare } = collator
    cells.sort((one, other) => sign * compare(one.text, other.text))
  }
  return cells.map(({ row }) => row)
}

function compareNumbers(one: number, other: number): number {
  // The difference of two empty cells is not a number.
  return one === other ? 0 : one - other
}

/** Returns the rows whose text contains all words of a filter. Case does not count. */
export function filterRows<Row>(
  rows: readonly Row[],
  getText: (row: Row) => string,
  filter: string,
): readonly Row[] {
  const wanted = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return rows
  return rows.filter((row) => {
    const text = getText(row).toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
