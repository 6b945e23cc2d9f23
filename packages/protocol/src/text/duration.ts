/** Formats a duration of at least 0 milliseconds: `35 ms`, `1.2 s`, `3 min 5 s`, `2 h 4 min`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000
  if (!(seconds >= 0.1)) return `${Math.round(seconds * 1000) || 0} ms`
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return joinUnits(minutes, 'min', whole % 60, 's')
  return joinUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

function joinUnits(large: number, unit: string, small: number, smaller: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smaller}`
}
