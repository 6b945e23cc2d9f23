/** A row of a diff side by side: a remark over both sides, or a line on one or both. */
export type ChangeRow<Line> = { remark: Line } | { before?: Line; after?: Line }

/** Pairs the removed lines of a diff with their replacements, for two sides. */
export function pairChanges<Line extends { change: string }>(
  lines: readonly Line[],
): readonly ChangeRow<Line>[] {
  const rows: ChangeRow<Line>[] = []
  let removed: Line[] = []
  let added: Line[] = []
  const flush = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      const [before, after] = [removed[index], added[index]]
      rows.push({ ...(before && { before }), ...(after && { after }) })
    }
    ;[removed, added] = [[], []]
  }
  for (const line of lines) {
    if (line.change === 'removed') {
      if (added.length > 0) flush()
      removed.push(line)
    } else if (line.change === 'added') added.push(line)
    else {
      flush()
      rows.push(isRemark(line) ? { remark: line } : { before: line, after: line })
    }
  }
  flush()
  return rows
}

/** Whether a line of a diff is a remark: its position, or a note. */
export function isRemark({ change }: { change: string }): boolean {
  return change === 'hunk' || change === 'note'
}
