module cuadra.invalid/bench/gobl

go 1.25

require github.com/invopop/gobl v0.502.1
