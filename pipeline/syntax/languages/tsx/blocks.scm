; TSX only: no blocks beyond those of TypeScript
