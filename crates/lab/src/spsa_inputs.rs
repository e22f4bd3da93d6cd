//! The parameters of the search in the words of OpenBench, which tunes them by SPSA on many machines.
//!
//! OpenBench perturbs a parameter by `C_end` at the end of a run and moves it by `R_end` times that for each game won.
//! Both shrink with Spall's exponents, as in [`super::spsa`], and mean the same there.

use super::spsa::last_perturbation;
use squarewise_engine::search::parameters::Parameter;

/// The step at the end of a run for each game won, as a share of the perturbation. A third of that of [`super::spsa`],
/// because runs on many machines have many more games; fishtest's default too.
const R_END: f64 = 0.002;

/// A parameter as a line of OpenBench's form: `name, int, value, min, max, C_end, R_end`.
pub fn input_line(parameter: &Parameter) -> String {
    let Parameter {
        name,
        default,
        min,
        max,
        ..
    } = parameter;
    let c_end = last_perturbation(parameter);
    format!("{name}, int, {default}, {min}, {max}, {c_end}, {R_END}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use squarewise_engine::search::parameters::ALL;

    #[test]
    fn every_line_is_one_that_openbench_accepts() {
        // The checks of its verify_spsa_inputs.
        for parameter in ALL.iter() {
            let line = input_line(parameter);
            let fields: Vec<&str> = line.split(", ").collect();
            let [name, kind, numbers @ ..] = fields.as_slice() else {
                panic!("{line}");
            };
            assert_eq!((*name, *kind), (parameter.name, "int"));
            let numbers: Vec<f64> = numbers
                .iter()
                .map(|number| number.parse().expect("a number"))
                .collect();
            let [value, min, max, c_end, r_end] = numbers.as_slice() else {
                panic!("{line}");
            };
            assert!(min <= value && value <= max && min < max, "{line}");
            assert!(*c_end >= 0.5 && *c_end <= (max - min) / 2.0, "{line}");
            assert!(*r_end > 0.0, "{line}");
        }
    }
}
