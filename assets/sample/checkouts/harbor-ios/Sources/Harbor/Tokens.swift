import SwiftUI

/// Colours by meaning. Owned by design.
enum Tokens {
    static let water = Color("water")
    static let delay = Color("delay")
    static let ticket = Color("ticket")
}
