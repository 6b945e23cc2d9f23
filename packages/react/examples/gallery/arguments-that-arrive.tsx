import { ToolPart, type ToolPartData } from '@toolblocks/react'
import { type ReactElement, useEffect, useState } from 'react'

const INPUT = '{"boat": "Ada", "nights": 3, "note": "Arrives after sunset."}'

export function ArgumentsThatArrive(): ReactElement {
  const [length, setLength] = useState(24)
  const isComplete = length >= INPUT.length
  const [isRunning, setIsRunning] = useState(false)
  useEffect(() => {
    if (!isRunning || isComplete) return
    const timer = setTimeout(() => setLength(length + 2), 60)
    return () => clearTimeout(timer)
  }, [length, isComplete, isRunning])

  const part: ToolPartData = {
    type: 'tool-book_berth',
    toolCallId: 'call-1',
    ...(isComplete
      ? { state: 'input-available', input: JSON.parse(INPUT) }
      : { state: 'input-streaming', rawInput: INPUT.slice(0, length) }),
  }
  return (
    <div className="tb">
      <ToolPart part={part} />
      <button
        type="button"
        onClick={() => {
          setLength(0)
          setIsRunning(true)
        }}
      >
        Send the arguments
      </button>
    </div>
  )
}
