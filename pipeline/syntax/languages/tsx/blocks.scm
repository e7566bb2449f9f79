; TSX alone: no blocks beyond those of TypeScript
