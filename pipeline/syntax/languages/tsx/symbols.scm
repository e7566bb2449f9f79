; TSX alone: no definitions beyond those of TypeScript
